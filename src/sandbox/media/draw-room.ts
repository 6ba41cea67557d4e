import type { Look } from './script.ts';

const ROOMS: Record<Look['room'], string> = {
  shelf: `<rect x="30" y="96" width="150" height="9" fill="#9b7653"/><rect x="30" y="176" width="150" height="9" fill="#9b7653"/>${books(36, 96)}${books(52, 176)}<circle cx="150" cy="160" r="15" fill="#d98e5f"/><rect x="470" y="60" width="120" height="84" rx="4" fill="#fff" stroke="#9b7653" stroke-width="6"/><path d="M478 134 l30 -36 l22 22 l18 -16 l34 30 Z" fill="#8fb9a8"/><circle cx="562" cy="84" r="9" fill="#efc66b"/>`,
  window: `<rect x="44" y="40" width="150" height="170" rx="6" fill="#bfe0f2" stroke="#fff" stroke-width="10"/><path d="M49 168 q40 -40 74 -8 q34 -34 66 0 v45 h-140 Z" fill="#93bf8f"/><circle cx="158" cy="78" r="16" fill="#fff3c4"/><path d="M119 44 v166 M48 126 h142" stroke="#fff" stroke-width="7"/><path d="M520 300 q-40 -90 -8 -150 q34 60 8 150 M520 300 q26 -70 66 -96 q-4 66 -66 96" fill="#6fa06b"/><path d="M492 296 h56 l-8 66 h-40 Z" fill="#c97f5a"/>`,
  plant: `<path d="M96 290 q-60 -70 -40 -150 q44 54 40 150 M96 290 q-14 -110 34 -176 q26 92 -34 176 M96 290 q40 -80 92 -92 q-16 74 -92 92" fill="#5c966a"/><path d="M62 284 h70 l-10 80 h-50 Z" fill="#e8e1d6"/><rect x="478" y="62" width="74" height="96" rx="4" fill="#fff"/><circle cx="515" cy="104" r="22" fill="#e9a23b"/><rect x="490" y="134" width="50" height="8" fill="#2e6f77"/><rect x="566" y="90" width="56" height="70" rx="4" fill="#fff"/><path d="M576 150 l18 -40 l18 40 Z" fill="#c65d57"/>`,
  frames: `<rect x="46" y="52" width="78" height="102" rx="3" fill="#fff" stroke="#4c4a52" stroke-width="5"/><path d="M58 140 q26 -64 54 0 Z" fill="#d9838d"/><rect x="140" y="92" width="58" height="58" rx="3" fill="#fff" stroke="#4c4a52" stroke-width="5"/><circle cx="169" cy="121" r="16" fill="#5b84b1"/><rect x="60" y="172" width="104" height="58" rx="3" fill="#fff" stroke="#4c4a52" stroke-width="5"/><path d="M68 218 h88 l-30 -30 l-20 18 l-14 -10 Z" fill="#7aa874"/><rect x="500" y="204" width="100" height="160" rx="6" fill="#b88b63"/><path d="M500 250 h100 M500 300 h100" stroke="#8f6947" stroke-width="4"/><circle cx="536" cy="186" r="18" fill="#f2d9a0"/>`,
  lamp: `<circle cx="112" cy="128" r="92" fill="#fff6d8" opacity=".75"/><path d="M72 150 L92 88 h40 L152 150 Z" fill="#f4c95d"/><rect x="108" y="150" width="8" height="220" fill="#55504b"/><path d="M452 246 h170 v126 h-170 Z" fill="#8aa1b5"/><path d="M452 246 q0 -46 44 -46 h82 q44 0 44 46 Z" fill="#9db3c6"/><rect x="490" y="66" width="104" height="78" rx="4" fill="#fff"/><path d="M498 136 q24 -52 44 -16 q18 -30 44 16 Z" fill="#6d8fc4"/>`,
};

function books(x: number, shelfY: number): string {
  const spines = [['#c8553d', 14, 50], ['#2f6690', 11, 58], ['#e3b23c', 16, 44], ['#588157', 12, 54], ['#7d5ba6', 14, 48], ['#d8d2c4', 10, 56]] as const;
  let at = x;
  return spines
    .map(([color, width, height]) => {
      const spine = `<rect x="${at}" y="${shelfY - height}" width="${width}" height="${height}" rx="1.500" fill="${color}"/>`;
      at += width + 2;
      return spine;
    })
    .join('');
}

/** The room behind a person, slightly blurred as by a webcam. */
export const drawRoom = ({ wall, room }: Look) =>
  `<rect width="640" height="360" fill="${wall}"/><g style="filter: blur(1.6px)">${ROOMS[room]}</g>`;

/** The bar with the question, and the icon of a muted microphone. */
export function drawCaption(counter: string, question: string, isSilent: boolean): string {
  const microphone = isSilent
    ? `<g transform="translate(590 22)"><circle cx="14" cy="14" r="18" fill="#c0392b"/><path d="M14 4 a4 4 0 0 1 4 4 v6 a4 4 0 0 1 -8 0 v-6 a4 4 0 0 1 4 -4 M7 13 a7 7 0 0 0 14 0 M14 20 v5 M4 4 L24 25" fill="none" stroke="#fff" stroke-width="2.200" stroke-linecap="round"/></g>`
    : '';
  return `<rect y="304" width="640" height="56" fill="#10202c" opacity=".82"/>
    <text x="20" y="324" font-size="12" fill="#9fd0e6" letter-spacing=".6">${counter}</text>
    <text x="20" y="346" font-size="17" fill="#fff">${question}</text>${microphone}`;
}
