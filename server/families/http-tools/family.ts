import { defineFamily } from "../define-family";
import { httpToolSource } from "./http-tool-source";

export const httpToolsFamily = defineFamily({ name: "http-tools", toolSource: httpToolSource });
