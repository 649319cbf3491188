import { defineFamily } from "../define-family";
import { countCalls } from "./call-metrics";
import { metricsAnswers } from "./endpoints";

export const metricsFamily = defineFamily({ name: "metrics", endpoints: metricsAnswers, boot: [countCalls] });
