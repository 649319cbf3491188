import type { OutputState } from "@/server/capabilities/shell/output-watch";
import { sizeInWords } from "@/server/tools/results/throttled-progress";

/** Describes the output of a running command: its last line, or its size when no line can be shown. */
export const outputProgress = ({ bytes, lastLine }: OutputState): string => lastLine ?? `${sizeInWords(bytes)} of output so far`;
