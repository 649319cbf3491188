import { defineFamily } from "../define-family";
import { modelsCheck } from "./models-check";

/** Language models: server/models asks them, and this family says whether they answer. */
export const modelsFamily = defineFamily({ name: "models", doctor: [modelsCheck] });
