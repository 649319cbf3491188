import { Button, FileButton } from "@mantine/core";

/** Fills in a field with the text of a file; `accept` lists the endings of its name. */
export function ChooseTextFile({ accept, onText }: { accept: string; onText: (text: string) => void }) {
  return (
    <div>
      <FileButton accept={accept} onChange={(file) => void file?.text().then(onText)}>
        {(props) => (
          <Button {...props} variant="default" size="compact-sm">
            Choose file
          </Button>
        )}
      </FileButton>
    </div>
  );
}
