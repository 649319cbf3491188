import { Alert, Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";

type DrawerFormFooterProps = {
  /** Sentence about a failure that belongs to no field. */
  error: string | null;
  /** Words on the button that submits the form. */
  submit: string;
  isSaving: boolean;
  disabled?: boolean;
  onCancel: () => void;
  /** Words on the button that leaves the form. */
  cancel?: string;
};

/** The end of a form in a drawer: its error, Cancel and the button that submits it. */
export function DrawerFormFooter({ error, submit, isSaving, disabled = false, onCancel, cancel = "Cancel" }: DrawerFormFooterProps) {
  return (
    <div className={shared.stack}>
      {error ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          <RevealedText text={error} />
        </Alert>
      ) : null}
      <div className={shared.buttons}>
        <Button variant="default" onClick={onCancel}>
          {cancel}
        </Button>
        <Button type="submit" loading={isSaving} disabled={disabled}>
          {submit}
        </Button>
      </div>
    </div>
  );
}
