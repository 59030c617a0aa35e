// flags: -P -x assembler-with-cpp
#define NUMBER 42
mov $NUMBER, %eax; .byte 'N, 'NUMBER
#unknown directive stays
