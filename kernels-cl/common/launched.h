// Kernels that choose among several functions by an argument: programs made for certain launches leave out those that
// none of these calls, because compiling them is most of what a first start takes.
//
// Gives: IS_LAUNCHED(ENTRY, WORD, VALUE)  whether a launch of the kernel ENTRY may have VALUE in its parameter WORD, of
//        which NAME_x ... NAME_w are the components where it is a vector; known when the program is built.
// Macros: CLINFER_LAUNCHED  for which launches the program is made is known: there is a macro of one parameter
//         LAUNCHED_ENTRY_WORD for each word that is asked for; else it may have any launches.
#ifndef CLINFER_LAUNCHED_H
#define CLINFER_LAUNCHED_H

#ifdef CLINFER_LAUNCHED
#define IS_LAUNCHED(entry, word, value) LAUNCHED_##entry##_##word(value)
#else
#define IS_LAUNCHED(entry, word, value) 1
#endif

#endif
