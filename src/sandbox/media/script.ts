/** What a person on a recording looks like; `make-media.ts` draws it. Colours are CSS colours. */
export interface Look {
  skin: string;
  hair: string;
  hairStyle: 'short' | 'long' | 'bun' | 'curly' | 'bald' | 'bob' | 'scarf';
  shirt: string;
  collar: 'round' | 'shirt' | 'scrubs' | 'vest';
  wall: string;
  room: 'shelf' | 'window' | 'plant' | 'frames' | 'lamp';
  beard?: boolean;
  glasses?: boolean;
}

/** One recording: who speaks, how, and what. The name of its files is its `id`. */
export interface Script {
  id: string;
  funnelId: string;
  /** Which given names suit the person on the picture. */
  person: 'woman' | 'man';
  look: Look;
  /** An espeak-ng voice, its words a minute and its pitch (0 to 99). */
  voice: { name: string; speed: number; pitch: number };
  container: 'mp4' | 'webm';
  /** A recording without any audio track, made by a candidate whose microphone was off. */
  silent?: true;
  answers: { question: string; sentences: string[] }[];
}
