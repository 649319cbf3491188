/** Takes off what models of some providers write before the name of a tool: `functions.look`, `default_api:look`, `tools.look`. */
export const plainName = (name: string): string => name.trim().replace(/^(?:functions|default_api|tools)[.:]/, "");
