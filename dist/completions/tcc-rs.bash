# Completion for bash: options and commands are asked of the compiler itself.
_tcc_rs() {
    local word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    if [[ $word == -* || $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --completion="$word" 2>/dev/null)" -- "$word"))
    fi
    [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- "$word"))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
    return 0
}
# "=" and ":" are parts of options.
COMP_WORDBREAKS=${COMP_WORDBREAKS//[=:]/}
complete -o filenames -F _tcc_rs tcc-rs
