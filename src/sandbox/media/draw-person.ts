import type { Look } from './script.ts';

/** One pose of a face. */
export interface Pose {
  /** From 0, closed, to 3, wide open. */
  mouth: number;
  isBlinking: boolean;
  /** From -2 to 2: a slow sway from side to side. */
  sway: number;
}

const INK = '#2a211d';

/** Draws head and shoulders as SVG, with the chin at (320, 236) of a picture of 640 by 360. */
export function drawPerson(look: Look, pose: Pose): string {
  const head = `translate(${pose.sway * 2.2} ${Math.abs(pose.sway) * 0.8}) rotate(${pose.sway * 0.9} 320 250)`;
  return `<g transform="${head}">${hairBehind(look)}</g>${body(look)}
    <g transform="${head}">${face(look, pose)}${beard(look)}${mouth(pose.mouth)}${hairInFront(look)}${glasses(look)}</g>`;
}

function body({ skin, shirt, collar }: Look): string {
  const dark = `color-mix(in srgb, ${shirt}, black 22%)`;
  const shoulders = `<path d="M168 372 C170 300 214 282 268 268 L372 268 C426 282 470 300 472 372 Z" fill="${shirt}"/>`;
  const neck = `<path d="M286 214 L286 268 C292 292 348 292 354 268 L354 214 Z" fill="color-mix(in srgb, ${skin}, black 13%)"/>`;
  const collars: Record<Look['collar'], string> = {
    round: `<path d="M280 266 C290 302 350 302 360 266" fill="none" stroke="${dark}" stroke-width="7"/>`,
    shirt: `<path d="M282 264 L320 304 L300 322 L266 274 Z M358 264 L320 304 L340 322 L374 274 Z" fill="color-mix(in srgb, ${shirt}, white 28%)" stroke="${dark}" stroke-width="2"/><path d="M320 306 L320 372" stroke="${dark}" stroke-width="2.5"/>`,
    scrubs: `<path d="M280 262 L320 326 L360 262" fill="${skin}" stroke="${dark}" stroke-width="8" stroke-linejoin="round"/><rect x="378" y="318" width="46" height="30" rx="4" fill="#fff" opacity=".9"/><path d="M386 328 h30 M386 337 h20" stroke="#7b8b95" stroke-width="3"/>`,
    vest: `<path d="M280 266 C290 302 350 302 360 266" fill="none" stroke="${dark}" stroke-width="7"/><path d="M232 284 L246 372 M408 284 L394 372" stroke="#f6f3b0" stroke-width="20"/><path d="M232 284 L246 372 M408 284 L394 372" stroke="#c9c9c2" stroke-width="7"/>`,
  };
  return shoulders + neck + collars[collar];
}

function face({ skin, hairStyle, hair }: Look, { isBlinking }: Pose): string {
  const shade = `color-mix(in srgb, ${skin}, black 14%)`;
  const brow = hairStyle === 'scarf' ? '#3a2a20' : `color-mix(in srgb, ${hair}, black 25%)`;
  const ears = hairStyle === 'scarf' ? '' : `<ellipse cx="247" cy="166" rx="13" ry="19" fill="${shade}"/><ellipse cx="393" cy="166" rx="13" ry="19" fill="${shade}"/>`;
  const eyes = isBlinking
    ? `<path d="M280 160 q13 8 26 0 M334 160 q13 8 26 0" fill="none" stroke="${INK}" stroke-width="4" stroke-linecap="round"/>`
    : `<ellipse cx="293" cy="158" rx="11.5" ry="10" fill="#fff"/><ellipse cx="347" cy="158" rx="11.5" ry="10" fill="#fff"/><circle cx="294" cy="159" r="6.8" fill="${INK}"/><circle cx="346" cy="159" r="6.8" fill="${INK}"/><circle cx="296.500" cy="156" r="2.200" fill="#fff"/><circle cx="348.500" cy="156" r="2.200" fill="#fff"/>`;
  return `${ears}<path d="M248 144 C246 78 394 78 392 144 C396 208 366 238 320 238 C274 238 244 208 248 144 Z" fill="${skin}"/>
    <ellipse cx="272" cy="190" rx="16" ry="10" fill="#e2605a" opacity=".18"/><ellipse cx="368" cy="190" rx="16" ry="10" fill="#e2605a" opacity=".18"/>
    <path d="M277 140 q15 -9 31 -2 M332 138 q16 -7 31 2" fill="none" stroke="${brow}" stroke-width="5.500" stroke-linecap="round"/>
    ${eyes}<path d="M318 166 q-9 18 3 21" fill="none" stroke="${shade}" stroke-width="4.500" stroke-linecap="round"/>`;
}

function mouth(openness: number): string {
  if (openness === 0) return `<path d="M299 206 q21 13 42 0" fill="none" stroke="#7c2f2b" stroke-width="4.500" stroke-linecap="round"/>`;
  const height = [0, 6, 11, 17][openness] ?? 17;
  const teeth = openness > 1 ? `<path d="M305 204 q15 5 30 0 l-3 5 q-12 3 -24 0 Z" fill="#fff"/>` : '';
  return `<path d="M298 203 q22 8 44 0 q-2 ${height + 8} -22 ${height + 8} q-20 0 -22 -${height + 8} Z" fill="#6d2420" stroke="#7c2f2b" stroke-width="3" stroke-linejoin="round"/>${teeth}`;
}

const beard = ({ beard: has, hair, hairStyle }: Look) =>
  has
    ? `<path d="M248 164 C250 190 262 196 276 190 C290 184 306 190 320 190 C334 190 350 184 364 190 C378 196 390 190 392 164 C396 222 366 250 320 250 C274 250 244 222 248 164 Z M296 201 q24 -9 48 0 q-4 27 -24 27 q-20 0 -24 -27 Z" fill="${hair}" fill-rule="evenodd" opacity="${hairStyle === 'bald' ? 0.85 : 0.95}"/>`
    : '';

const glasses = ({ glasses: has }: Look) =>
  has
    ? `<g fill="#ffffff22" stroke="#25303a" stroke-width="4"><rect x="270" y="142" width="44" height="34" rx="13"/><rect x="326" y="142" width="44" height="34" rx="13"/><path d="M314 154 q6 -5 12 0 M270 152 L250 148 M370 152 L390 148" fill="none"/></g>`
    : '';

/** The hair behind head and shoulders. */
function hairBehind({ hairStyle, hair }: Look): string {
  const behind: Partial<Record<Look['hairStyle'], string>> = {
    long: `<path d="M236 150 C226 60 414 60 404 150 C412 220 420 262 408 292 L232 292 C220 262 228 220 236 150 Z" fill="${hair}"/>`,
    bob: `<path d="M236 150 C226 58 414 58 404 150 C410 196 408 222 396 240 L244 240 C232 222 230 196 236 150 Z" fill="${hair}"/>`,
    // Covers the gap between temple and hair.
    short: `<path d="M243 150 C236 92 252 66 300 64 C360 54 408 82 398 150 Z" fill="${hair}"/>`,
    bun: `<circle cx="320" cy="66" r="32" fill="${hair}"/>`,
    curly: [[246, 118], [240, 152], [250, 184], [394, 118], [400, 152], [390, 184], [268, 92], [372, 92]]
      .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="29" fill="${hair}"/>`)
      .join(''),
    scarf: `<path d="M232 168 C218 62 422 62 408 168 C412 222 404 258 392 290 L248 290 C236 258 228 222 232 168 Z" fill="color-mix(in srgb, ${hair}, black 16%)"/>`,
  };
  return behind[hairStyle] ?? '';
}

function hairInFront({ hairStyle, hair }: Look): string {
  const fringe = `<path d="M242 152 C234 60 406 60 398 152 C392 128 380 116 366 110 C330 124 282 122 266 112 C256 120 248 132 242 152 Z" fill="${hair}"/>`;
  const front: Partial<Record<Look['hairStyle'], string>> = {
    short: `<path d="M243 150 C236 92 252 66 300 64 C360 54 408 82 398 150 L390 150 C388 128 384 118 376 108 C340 112 300 104 274 104 C256 114 248 128 243 150 Z" fill="${hair}"/>`,
    long: fringe,
    bob: `<path d="M240 160 C232 58 408 58 400 160 C394 136 388 126 380 122 L262 122 C252 128 246 140 240 160 Z" fill="${hair}"/>`,
    bun: fringe,
    curly: [[262, 104], [286, 86], [314, 78], [344, 82], [370, 98], [384, 118], [256, 124]]
      .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="21" fill="${hair}"/>`)
      .join(''),
    scarf: `<path d="M236 176 C222 60 418 60 404 176 C404 214 388 246 366 262 C386 230 396 190 388 152 C378 104 262 104 252 152 C244 190 254 230 274 262 C252 246 236 214 236 176 Z" fill="${hair}"/><path d="M262 252 C286 282 354 282 378 252 C390 276 372 300 320 302 C268 300 250 276 262 252 Z" fill="${hair}"/>`,
  };
  return front[hairStyle] ?? '';
}
