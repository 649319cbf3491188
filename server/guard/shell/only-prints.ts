/** Programs that can only print, whatever words they are given: for commands that get words which nobody sees. */
export const onlyPrints: ReadonlySet<string> = new Set(
  "ls cat grep egrep fgrep head tail wc stat du basename dirname realpath readlink md5sum sha1sum sha256sum sha512sum cksum b2sum echo nl tac".split(
    " ",
  ),
);
