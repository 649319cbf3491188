import { defineFamily } from "../define-family";
import { dateTime } from "./tools/date-time";

export const timeFamily = defineFamily({
  name: "time",
  tools: [dateTime],
  capabilities: [],
});
