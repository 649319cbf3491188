import { agentModel } from "@/server/models/agent-model";
import { defineFamily } from "../define-family";
import { modelsCheck } from "./models-check";

/** Language models: server/models asks them, and this family says whether they answer. */
export const modelsFamily = defineFamily({ name: "models", capabilities: [agentModel], doctor: [modelsCheck] });
