import type { FunnelSource } from '#contracts/sources.ts';
import { defineSource } from './define-source.ts';
import { HIREFLIX } from './hireflix/hireflix.ts';
import { REST } from './rest/rest.ts';
import { VIDEOASK } from './videoask/videoask.ts';

/** Staff add its interviews: features/uploads. */
const UPLOAD = defineSource({ name: 'upload', variables: {}, urls: [], load: null, events: null });

export const SERVER_SOURCES = {
  rest: REST,
  hireflix: HIREFLIX,
  videoask: VIDEOASK,
  upload: UPLOAD,
} satisfies { [Name in FunnelSource]: { name: Name } };

type Known = (typeof SERVER_SOURCES)[keyof typeof SERVER_SOURCES]['variables'];
type All<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer Every) => void ? Every : never;

/** The variables of all sources. */
export const SOURCE_VARIABLES: All<Known> = Object.assign(
  {},
  ...Object.values(SERVER_SOURCES).map(({ variables }) => variables),
);
