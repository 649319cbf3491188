import { Anchor, Container, Text, Title } from "@mantine/core";

export const metadata = { title: "Not found" };

/**
 * Shown outside the console. Has no style sheet of its own: Next would preload that with the sign-in page, and the
 * browser warns about unused preloads. Mantine's style sheets are loaded anyway.
 */
export default function NotFound() {
  return (
    <Container component="main" size="xs" py="15vh">
      <Title order={1}>Nothing here</Title>
      <Text my="sm">No page at this address. The page was removed, or the address is wrong.</Text>
      <Anchor href="/">Go to Overview</Anchor>
    </Container>
  );
}
