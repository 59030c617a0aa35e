// flags: -P
#
# /* comment */
  #   define X 1
X #define Y 2
#ident "version"
