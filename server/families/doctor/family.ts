import { defineFamily } from "../define-family";
import { clockCheck, databaseCheck } from "./checks/database";
import { mcpServersCheck } from "./checks/mcp-servers";
import { artifactsCheck, diskCheck } from "./checks/storage";
import { toolsCheck } from "./checks/tools";
import { workCheck } from "./checks/work";
import { doctorAnswers } from "./endpoints";

/** Checks of the core. Every other family brings its own under `doctor`. */
export const doctorFamily = defineFamily({
  name: "doctor",
  endpoints: doctorAnswers,
  doctor: [toolsCheck, databaseCheck, clockCheck, diskCheck, artifactsCheck, mcpServersCheck, workCheck],
});
