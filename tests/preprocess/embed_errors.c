// flags: -P -std=c2x
#embed
#embed "include/data.bin" nonsense
#embed "include/data.bin" limit(-1)
#embed "include/data.bin" prefix(1
#embed "no_such.bin"
