/** Colors a part of the output. */
export type Paint = (color: Color, text: string) => string;

type Color = 'red' | 'yellow' | 'green' | 'cyan' | 'dim' | 'bold';

const CODES: Record<Color, readonly [on: number, off: number]> = {
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  cyan: [36, 39],
  dim: [2, 22],
  bold: [1, 22],
};

export const paintNothing: Paint = (_color, text) => text;

export const paintAnsi: Paint = (color, text) => {
  const [on, off] = CODES[color];
  return `\u001b[${on}m${text}\u001b[${off}m`;
};
