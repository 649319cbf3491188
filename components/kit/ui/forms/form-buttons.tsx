import { Button } from "@mantine/core";
import shared from "../shared.module.css";

type FormButtonsProps = {
  /** Words on the button that submits the form. */
  submit: string;
  isSaving: boolean;
  disabled?: boolean;
  onCancel: () => void;
  /** Words on the button that leaves the form. */
  cancel?: string;
};

/** The buttons at the end of a form: Cancel, and the one that submits it. */
export function FormButtons({ submit, isSaving, disabled = false, onCancel, cancel = "Cancel" }: FormButtonsProps) {
  return (
    <div className={shared.buttons}>
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
      <Button type="submit" loading={isSaving} disabled={disabled}>
        {submit}
      </Button>
    </div>
  );
}

/** The buttons of a form within a page: the one that submits it first, then Cancel. */
export function InlineFormButtons({ submit, isSaving, disabled = false, onCancel, cancel = "Cancel" }: FormButtonsProps) {
  return (
    <div className={shared.bar}>
      <Button type="submit" loading={isSaving} disabled={disabled}>
        {submit}
      </Button>
      <Button variant="default" onClick={onCancel}>
        {cancel}
      </Button>
    </div>
  );
}
