import classes from "./fields.module.css";

/** Properties of fields for machine-readable text: a mono font, without spell check, capitalization and completion. */
export const codeInputProps = { className: classes.mono, spellCheck: false, autoCapitalize: "off", autoComplete: "off" } as const;

/** Properties of fields for an address. */
export const urlInputProps = { ...codeInputProps, inputMode: "url" } as const;
