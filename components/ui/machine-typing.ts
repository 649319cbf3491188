import classes from "./fields.module.css";

/** For fields that take what machines read: in mono, and typed without anybody's help. */
export const machineTyping = { className: classes.mono, spellCheck: false, autoCapitalize: "off", autoComplete: "off" } as const;
