import { defineFamily } from "../define-family";
import { countCalls } from "./call-metrics";

export const metricsFamily = defineFamily({ name: "metrics", boot: [countCalls] });
