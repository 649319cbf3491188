const sentences: Record<string, string> = {
  wrong_credentials: "The e-mail address or the password is not right. Check both and try again.",
  too_many_requests: "Too many failed attempts. Wait a minute, then try again.",
  email_not_verified: "Your identity provider has not verified your e-mail address. Verify it there, then try again.",
  not_a_member: "Nobody with your e-mail address is a member here. Ask an admin to add you.",
  AccessDenied: "The identity provider did not let you in. Try again, or sign in with a password.",
};

/**
 * What a refused sign-in means. `refusal` is a code, with the seconds to wait behind a colon where there are any
 * (`too_many_requests:42`); text from a link is never shown.
 */
export function refusalSentence(refusal: string): string {
  const [code = "", seconds] = refusal.split(":", 2);
  if (code === "too_many_requests" && seconds && /^\d{1,4}$/.test(seconds)) {
    return `Too many failed attempts. Try again in ${seconds} ${seconds === "1" ? "second" : "seconds"}.`;
  }
  return (Object.hasOwn(sentences, code) && sentences[code]) || "Signing in did not work. Try again in a moment.";
}
