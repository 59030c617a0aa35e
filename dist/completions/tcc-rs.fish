# Completion for fish: options and commands are asked of the compiler itself.
function __tcc_rs_offers
    set -l word (commandline -ct)
    set -l before (commandline -opc)
    if string match -q -- '-*' $word; or test (count $before) -eq 1
        $before[1] --completion=$word 2>/dev/null
    end
end
complete -c tcc-rs -a '(__tcc_rs_offers)'
