int x[4] = { 1, 2 };

int main() {
  int *p = x + 1;
  return *p - x[0] - 1 + p[2];
}
