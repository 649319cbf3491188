/** Words that people write in place of a secret; such words need no approval. */
const words = new Set(
  "test tests testing tester test123 testpass testpassword test-key test-token test-secret example sample dummy fake foo bar baz foobar demo mock stub changeme changeit changethis change-me change_me replaceme replace-me todo tbd none null nil undefined empty placeholder redacted masked hidden secret123 abc123 password123 123456 12345678 your-key yourkey my-secret mysecret my-token mytoken".split(
    " ",
  ),
);

/** Placeholders of several words: `your-api-key`, `my_test_key_here`, `insert-token-here`. */
const sentence = /^(?:your|insert|enter|put|replace|paste)[._-]?[a-z._-]*$|^(?:my|some|the|a)[._-][a-z._-]*here$/;

/** A repeated sign, or a variable: `***`, `xxxx`, `${TOKEN}`, `$TOKEN`, `%TOKEN%`, `<token>`, `{{token}}`. */
const noValue = /^(?:([x*.#_-])\1*|\$\{.*\}|\$\(.*\)|\$\w+|%\w+%|<.*>|\{\{.*\}\}|env:\w+)$/i;

/** Tells whether a value is a placeholder for a secret: a word such as `test` or `changeme`, or a variable. */
export function isPlaceholder(value: string): boolean {
  const small = value.toLowerCase();
  return words.has(small) || sentence.test(small) || noValue.test(value);
}

/** Usual user names and passwords of databases on developers' machines. */
const localWords = new Set(
  "postgres password passwd pass pw root admin user guest app dev local secret mysql mariadb redis rabbitmq minio minioadmin sa".split(" "),
);

/** `localhost`, a loopback address, or a host name without a dot, as containers have. */
const localHost = /^@(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|host\.docker\.internal|[A-Za-z][A-Za-z0-9_-]*)(?=[:/?\s"']|$)/;

/**
 * Tells whether the password of a URL needs no protection: a placeholder, or for a local host the user's name or a usual
 * word.
 * @param match the text from `://` to the end of the password
 * @param after the text from the `@` after the password
 */
export function isTrivialAddress(password: string, match: string, after: string): boolean {
  const user = /:\/{1,2}([^:/@]*):/.exec(match)?.[1] ?? "";
  if (isPlaceholder(password)) return true;
  return localHost.test(after) && (password === user || localWords.has(password.toLowerCase()));
}
