import packageJson from "../../package.json" with { type: "json" };

/** The version of this Handrail. */
export const version: string = packageJson.version;
