/* ISO/IEC TS 25755 */
#ifndef _STDDEFER_H
#define _STDDEFER_H

#define defer _Defer

#endif
