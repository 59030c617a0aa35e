// flags: -P
"no end
'x
a /* no end
