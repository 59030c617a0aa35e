// interpreter: it reads and writes files
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  setenv("TCC_RS_TEST", "value", 1);
  printf("%s %d\n", getenv("TCC_RS_TEST"), getenv("TCC_RS_NO_SUCH") == 0);
  FILE *f = fopen("/no/such/file", "r");
  printf("%d %d %s\n", f == 0, errno == ENOENT, strerror(ENOENT));
  f = tmpfile();
  fprintf(f, "%d %s", 42, "text");
  rewind(f);
  int n;
  char w[10];
  printf("%d", fscanf(f, "%d %9s", &n, w));
  printf(" %d %s\n", n, w);
  fclose(f);
  struct tm t = { .tm_year = 100, .tm_mon = 1, .tm_mday = 29 };
  char buf[32];
  strftime(buf, sizeof buf, "%Y-%m-%d", &t);
  printf("%s %d\n", buf, getpid() > 0);
  return 0;
}
