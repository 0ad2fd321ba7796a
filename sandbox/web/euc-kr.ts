const ROWS = { from: 0xa1, to: 0xfe };

/** Built from the decoder of the platform: the code points that two bytes of EUC-KR can stand for. */
const table = (): Map<string, [number, number]> => {
  const decoder = new TextDecoder('euc-kr');
  const codes = new Map<string, [number, number]>();
  for (let row = ROWS.from; row <= ROWS.to; row++)
    for (let cell = ROWS.from; cell <= ROWS.to; cell++) {
      const text = decoder.decode(Uint8Array.of(row, cell));
      if (text.length === 1 && text !== '\ufffd') codes.set(text, [row, cell]);
    }
  return codes;
};

let codes: Map<string, [number, number]> | undefined;

/** Syllables that only CP949 has, with their bytes. */
const CP949: Record<string, [number, number]> = {
  똠: [0x8c, 0x63],
  펲: [0xbc, 0x84],
  햏: [0xc1, 0x64],
};

/** The bytes of a text in EUC-KR, with some syllables of CP949; a character that neither has becomes a question mark. */
export function encodeEucKr(text: string): Buffer {
  codes ??= table();
  const bytes: number[] = [];
  for (const character of text) {
    const ascii = character.charCodeAt(0) < 0x80;
    const code = codes.get(character) ?? CP949[character];
    bytes.push(...(ascii ? [character.charCodeAt(0)] : (code ?? [0x3f])));
  }
  return Buffer.from(bytes);
}
