import { defineFamily } from "../define-family";
import { docs } from "./docs";

export const docsFamily = defineFamily({ name: "docs", tools: [docs] });
