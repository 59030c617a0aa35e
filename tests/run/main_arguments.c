// args: one -two three=4
// exit: 4
#include <stdio.h>
#include <string.h>

int main(int argc, char *argv[], char **envp) {
  for (int i = 1; i < argc; i++)
    printf("%d %s %zu\n", i, argv[i], strlen(argv[i]));
  printf("%d %d\n", argv[argc] == 0, envp != 0);
  return argc;
}
