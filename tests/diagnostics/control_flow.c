int f(int x) {
  break;
  continue;
  case 1:;
  default:;
  switch (x) {
  case 1:
  case 1:
    break;
  default:
  default:
    break;
  case 1.5:
    break;
  case 1 ... 0:
    break;
  }
  goto nowhere;
twice:
twice:
  return x;
}
