#include <stdio.h>

int main() {
  puts("no return statement");
}
