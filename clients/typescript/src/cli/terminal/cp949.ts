/**
 * Decodes code page 949, which Korean Windows writes. Node.js supports its EUC-KR subset; the remaining codes are the
 * syllables that EUC-KR lacks, in Unicode order. Throws on invalid bytes.
 */
export function decodeCp949(bytes: Uint8Array): string {
  const eucKr = new TextDecoder('euc-kr', { fatal: true });
  let missing: string[] | undefined;
  let text = '';
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at]!;
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      continue;
    }
    const trail = bytes[(at += 1)] ?? 0;
    if (lead >= 0xa1 && trail >= 0xa1) {
      text += eucKr.decode(Uint8Array.of(lead, trail));
      continue;
    }
    missing ??= missingIn(eucKr);
    const character = missing[placeOf(lead, trail)];
    if (character === undefined) throw new TypeError('not code page 949');
    text += character;
  }
  return text;
}

/** Index of a syllable outside EUC-KR; -1 for an invalid code. */
function placeOf(lead: number, trail: number): number {
  const inRow = placeInRow(trail);
  if (lead < 0x81 || inRow < 0) return -1;
  // Lead bytes that EUC-KR uses as well have shorter rows.
  return lead <= 0xa0
    ? (lead - 0x81) * 178 + inRow
    : 32 * 178 + (lead - 0xa1) * 84 + inRow;
}

function placeInRow(trail: number): number {
  if (trail >= 0x41 && trail <= 0x5a) return trail - 0x41;
  if (trail >= 0x61 && trail <= 0x7a) return trail - 0x61 + 26;
  return trail >= 0x81 && trail <= 0xfe ? trail - 0x81 + 52 : -1;
}

/** The syllables that EUC-KR lacks. */
function missingIn(eucKr: TextDecoder): string[] {
  const known = new Set<string>();
  for (let lead = 0xb0; lead <= 0xc8; lead += 1)
    for (let trail = 0xa1; trail <= 0xfe; trail += 1)
      known.add(eucKr.decode(Uint8Array.of(lead, trail)));
  const all = Array.from({ length: 11172 }, (_, n) =>
    String.fromCharCode(0xac00 + n),
  );
  return all.filter((syllable) => !known.has(syllable));
}
