import { provideFamilies } from "@/server/families/provide-families";

/** Provides the families to the core, as the product's start does. */
export const { tools: builtinTools, capabilities, work: familyWork } = provideFamilies();
