#assert animal(cat)
#assert animal(dog house)
#if !#animal(cat) || !#animal || !#animal ( dog house ) || #animal(dog) || #plant || ! #cpu(x86_64) && 1
int wrong = "a";
#endif
#unassert animal(cat)
#if #animal(cat) || !#animal(dog house)
int wrong = "b";
#endif
#unassert animal
#define animal(x) 1
#if #animal(dog house) || #system(vms) || !#machine(x86_64)
int wrong = "c";
#endif
#assert
#assert 5
#assert animal
#assert animal()
#assert animal(cat
#if #animal(
#endif
#if #
#endif
#assert animal(cat) extra
#assert animal(cat)
#unassert animal(cat) (dog)
int right;
