#include <stdio.h>
#include <string.h>
#include <limits.h>

enum { N = 12 };
static int weight[N][N];

static void dijkstra(int from, int dist[N]) {
  char done[N] = { 0 };
  for (int i = 0; i < N; i++)
    dist[i] = INT_MAX;
  dist[from] = 0;
  for (;;) {
    int best = -1;
    for (int i = 0; i < N; i++)
      if (!done[i] && dist[i] != INT_MAX && (best < 0 || dist[i] < dist[best]))
        best = i;
    if (best < 0)
      return;
    done[best] = 1;
    for (int i = 0; i < N; i++)
      if (weight[best][i] && dist[best] + weight[best][i] < dist[i])
        dist[i] = dist[best] + weight[best][i];
  }
}

static int depth_first(int v, unsigned *seen, int *order, int n) {
  *seen |= 1u << v;
  for (int i = 0; i < N; i++)
    if (weight[v][i] && !(*seen >> i & 1))
      n = depth_first(i, seen, order, n);
  order[n++] = v;
  return n;
}

static int knapsack(const int *w, const int *v, int n, int cap) {
  int best[101] = { 0 };
  for (int i = 0; i < n; i++)
    for (int c = cap; c >= w[i]; c--) {
      int with = best[c - w[i]] + v[i];
      if (with > best[c])
        best[c] = with;
    }
  return best[cap];
}

static int lcs(const char *a, const char *b) {
  int t[20][20] = { { 0 } };
  int n = (int)strlen(a), m = (int)strlen(b);
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      t[i][j] = a[i - 1] == b[j - 1] ? t[i - 1][j - 1] + 1 : t[i - 1][j] > t[i][j - 1] ? t[i - 1][j] : t[i][j - 1];
  return t[n][m];
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      if (i != j && (i * 5 + j * 3) % 4 == 0)
        weight[i][j] = (i * 7 + j * 13) % 10 + 1;
  int dist[N], order[N];
  dijkstra(0, dist);
  for (int i = 0; i < N; i++)
    printf("%d ", dist[i] == INT_MAX ? -1 : dist[i]);
  unsigned seen = 0;
  int n = depth_first(0, &seen, order, 0);
  for (int i = 0; i < n; i++)
    printf("%d ", order[i]);
  int w[] = { 12, 7, 11, 8, 9, 6, 14 }, v[] = { 24, 13, 23, 15, 16, 11, 28 };
  printf("\n%d %d\n", knapsack(w, v, 7, 40), lcs("AGGTABCXYZ", "GXTXAYBZC"));
  return 0;
}
