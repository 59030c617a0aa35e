# Completion for fish: options are asked of the compiler itself.
function __tcc_rs_options
    set -l word (commandline -ct)
    string match -q -- '-*' $word; and tcc-rs --completion=$word 2>/dev/null
end
complete -c tcc-rs -a '(__tcc_rs_options)'
complete -c tcc-rs -n 'test (count (commandline -opc)) -eq 1' -a 'run repl explore compare interpret'
