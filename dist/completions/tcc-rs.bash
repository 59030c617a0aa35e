# Completion for bash: options are asked of the compiler itself.
_tcc_rs() {
    local word=${COMP_WORDS[COMP_CWORD]}
    case $word in
        -*) COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" --completion="$word" 2>/dev/null)" -- "$word")) ;;
        *)
            COMPREPLY=($(compgen -f -- "$word"))
            if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY+=($(compgen -W "run repl explore compare interpret" -- "$word"))
            fi
            ;;
    esac
    [ "${#COMPREPLY[@]}" -eq 1 ] && [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
# "=" and ":" are parts of options.
COMP_WORDBREAKS=${COMP_WORDBREAKS//[=:]/}
complete -o filenames -F _tcc_rs tcc-rs
