/**
 * Names that forms, tables and headers have beside credentials. In a list after the name of one they are a name, too, and no
 * value: `['password', 'email']`. Words that people take for passwords (`secret`) are not among them.
 */
const FIELD_NAME =
  /^(?:_?id|uu?id|(?:user|first|last|full|display|nick)?[-_ ]?name|user|users|e-?mail|phone|address|role|roles|type|status|title|sessions?|(?:access|refresh|id|auth|csrf)?[-_]?token|api[-_]?key|otp|created[-_]?at|updated[-_]?at|authorization|accept|cookie|set-cookie|host|origin|referer|user-agent|content-(?:type|length|encoding)|x-[a-z-]+)$/i;

export function isFieldName(value: string): boolean {
  return FIELD_NAME.test(value);
}
