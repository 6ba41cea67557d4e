/** The look of a person on a recording, drawn by `make-media.ts`. Colors are CSS colors. */
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

/** One recording: the speaker, the voice and the text. Its files are named after its `id`. */
export interface Script {
  id: string;
  funnelId: string;
  /** Selects given names that suit the person in the picture. */
  person: 'woman' | 'man';
  look: Look;
  /** An espeak-ng voice, its words per minute and its pitch (0 to 99). */
  voice: { name: string; speed: number; pitch: number };
  container: 'mp4' | 'webm';
  /** A recording without an audio track, as from a candidate with a muted microphone. */
  silent?: true;
  answers: { question: string; sentences: string[] }[];
}
