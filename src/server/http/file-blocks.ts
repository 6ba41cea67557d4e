import { BlockPool } from './block-pool.ts';

/** Fits every block, so an answer up to this size needs one only. What a plain file stream holds for each reader. */
export const SMALL_BLOCK_BYTES = 64 * 1024;

/** 16 MB in all; 256 KB was the fastest size in bench/video.ts. */
export const fileBlocks = new BlockPool({ count: 64, blockBytes: 256 * 1024, smallBytes: SMALL_BLOCK_BYTES });
