const sentences: Record<string, string> = {
  wrong_credentials: "The email address or the password is not right. Check both and try again.",
  too_many_requests: "Too many failed attempts. Wait a minute, then try again.",
  email_not_verified: "Your identity provider has not verified your email address. Verify it there, then try again.",
  not_a_member: "Nobody with your email address is a member here. Ask an admin to add you.",
  AccessDenied: "The identity provider refused the sign-in. Try again, or sign in with a password.",
};

/**
 * Returns the sentence for a refused sign-in. `refusal` is a code, optionally with seconds to wait after a colon
 * (`too_many_requests:42`). Unknown text from a link is never shown.
 */
export function refusalSentence(refusal: string): string {
  const [code = "", seconds] = refusal.split(":", 2);
  if (code === "too_many_requests" && seconds && /^\d{1,4}$/.test(seconds)) {
    return `Too many failed attempts. Try again in ${seconds} ${seconds === "1" ? "second" : "seconds"}.`;
  }
  return (Object.hasOwn(sentences, code) && sentences[code]) || "Signing in did not work. Try again in a moment.";
}
