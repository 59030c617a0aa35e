// flags: -P
#define é accent
é \u00e9 $dollar a$b
#define na\u00efve yes
naïve
` @ \ x
