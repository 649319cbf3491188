/**
 * The pattern of shell commands that only look. It is the first rule of a workspace without a sandbox, a preset in the
 * console, and one of the settings under which `npm run measure:guard` counts escapes.
 */
export const lookingCommands =
  "^(ls|cat|head|tail|wc|grep|rg|find|stat|file|du|df|tree|sort|uniq|cut|pwd|echo|date|which|git status|git log|git diff|git show|git branch)(\\s|$)";
