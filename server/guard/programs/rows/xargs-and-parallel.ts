import { type Program, program, runsUnknown } from "../program";
import { runsInParallel, runsOnInput } from "../special/xargs-and-parallel";

/** Programs that run a command once for each argument, or for some at a time. */
export const perArgumentPrograms: readonly Program[] = [
  program("xargs gxargs", {
    optionsFirst: true,
    special: runsOnInput,
    attached: "-i -e -l",
    valued: {
      "-a --arg-file": "file_list",
      "-I -E -L -n -P -s -d -R -S -J --delimiter --max-args --max-procs --max-chars --process-slot-var": "text",
    },
  }),
  program("parallel sem", {
    optionsFirst: true,
    special: runsInParallel,
    valued: {
      "-j --jobs -P --max-procs -E --workdir --wd --max-args -N -n -L -C --colsep -d --delimiter -I -s --delay --timeout --retries --id --nice --memfree --halt --env --block --recstart --recend":
        "text",
      "-a --arg-file": "file_list",
      "--joblog --results --tmpdir": "writes",
      "-S --sshlogin --sshloginfile --slf --transferfile --tf --return --basefile --plugin --tmpl --rpl --profile -J": runsUnknown,
    },
  }),
];
