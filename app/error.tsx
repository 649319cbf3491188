"use client";

import { Button, Container, Text, Title } from "@mantine/core";

/** Shown when the root layout fails, mostly because the database does not answer. Uses no style sheet of its own, like `not-found`. */
export default function RootError({ error }: { error: Error & { digest?: string } }) {
  return (
    <Container component="main" size="xs" py="15vh">
      <Title order={1}>Something went wrong</Title>
      <Text my="sm">
        Nothing was lost.{" "}
        {error.digest ? `If this happens again, give an admin the error number ${error.digest}, which is in the log.` : null}
      </Text>
      <Button onClick={() => window.location.reload()}>Try again</Button>
    </Container>
  );
}
