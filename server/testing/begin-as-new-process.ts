import { provideFamilies } from "@/server/families/provide-families";
import { maskLog } from "@/server/platform/log";
import { forgetProcess } from "@/server/platform/process-wide";
import { maskInText } from "@/server/secrets/mask-secrets";

/** Drops the pools, caches and queues of the previous test file, and provides families and masks as the product's start does. */
export function beginAsNewProcess(): void {
  forgetProcess();
  maskLog(maskInText);
  provideFamilies();
}
