import { useEffect, useState } from "react";

/**
 * Returns the messages of field errors that `form` does not show, such as one about a field that is hidden at present. `form` is
 * called after each change of the messages.
 */
export function useUnshownErrors(messages: readonly string[], form: () => Element | null | undefined): readonly string[] {
  const [unshown, setUnshown] = useState<readonly string[]>([]);
  const joined = JSON.stringify(messages);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element of a form stays the same
  useEffect(() => {
    const shown = form()?.textContent ?? "";
    setUnshown((JSON.parse(joined) as string[]).filter((message) => !shown.includes(message)));
  }, [joined]);
  return unshown;
}
