import { createContext, type RefObject, use, useEffect } from "react";

/** Whether the form in a drawer has unsaved changes; the drawer asks before it closes. */
export const UnsavedChanges = createContext<RefObject<boolean> | null>(null);

const loadDialog = () => import("./confirm-action");

/** Tells the drawer around a form whether closing would lose changes. */
export function useUnsavedChanges(isDirty: boolean) {
  const unsaved = use(UnsavedChanges);
  useEffect(() => {
    if (!unsaved) return;
    unsaved.current = isDirty;
    // Errors are ignored, because the question loads the code again.
    if (isDirty) loadDialog().catch(() => {});
    return () => {
      unsaved.current = false;
    };
  }, [unsaved, isDirty]);
}

/** Asks before a form with unsaved changes is left. */
export async function askToDiscard(discard: () => void) {
  const { confirmAction } = await loadDialog();
  await confirmAction({
    title: "Discard changes?",
    children: "Your changes are lost.",
    action: "Discard",
    keep: "Keep editing",
    onConfirm: async () => discard(),
  });
}
