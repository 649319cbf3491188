import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ComponentProps } from "react";
import { FormButtons } from "../forms/form-buttons";
import shared from "../shared.module.css";
import { RevealedText } from "../text/revealed-text";

type DrawerFormFooterProps = ComponentProps<typeof FormButtons> & {
  /** Sentence about a failure that belongs to no field. */
  error: string | null;
};

/** The end of a form in a drawer: its error and its buttons. */
export function DrawerFormFooter({ error, ...buttons }: DrawerFormFooterProps) {
  return (
    <div className={shared.stack}>
      {error ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          <RevealedText text={error} />
        </Alert>
      ) : null}
      <FormButtons {...buttons} />
    </div>
  );
}
